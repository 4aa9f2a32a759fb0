//! A chart as the format has it: with its numbers, so that a presentation program can draw and restyle it.

use std::fmt::Write as _;

use super::package::{Package, XML_HEAD, relations};
use super::parts::hex;
use super::workbook::{self, column_name};
use crate::chart::{ChartData, ChartKind};
use crate::document::Chart;
use crate::error::Error;
use crate::render::svg::escape;
use crate::theme::{Background, Role, Theme};

/// Adds the part of a chart and the workbook behind it; returns its number.
///
/// # Errors
/// [`Error::Drawing`] where the workbook cannot be written.
pub fn add(
    package: &mut Package,
    chart: &Chart,
    theme: &Theme,
    ground: Background,
    points_per_pixel: f32,
) -> Result<usize, Error> {
    package.charts += 1;
    let number = package.charts;
    let xml = write(chart, theme, ground, points_per_pixel);
    package.add(
        &format!("ppt/charts/chart{number}.xml"),
        Some("application/vnd.openxmlformats-officedocument.drawingml.chart+xml"),
        xml,
    );
    let book = format!("embeddings/workbook{number}.xlsx");
    package.add(&format!("ppt/{book}"), None, workbook::write(&chart.data)?);
    let relation = ("rId1".to_owned(), "officeDocument/2006/relationships/package", format!("../{book}"), false);
    package.add(&format!("ppt/charts/_rels/chart{number}.xml.rels"), None, relations(&[relation]));
    Ok(number)
}

fn write(chart: &Chart, theme: &Theme, ground: Background, points_per_pixel: f32) -> String {
    let data = &chart.data;
    let color = |role: Role| hex(theme.color(ground, role.into()));
    let size = (chart.label_size * points_per_pixel * 100.0).round() as i64;
    let words = format!(
        r#"<c:txPr><a:bodyPr/><a:lstStyle/><a:p><a:pPr><a:defRPr sz="{size}"><a:solidFill><a:srgbClr val="{}"/></a:solidFill><a:latin typeface="+mn-lt"/></a:defRPr></a:pPr><a:endParaRPr lang="en-US"/></a:p></c:txPr>"#,
        color(Role::Muted)
    );
    let is_donut = data.kind == ChartKind::Donut;
    let mut series = String::new();
    for (at, row) in data.series.iter().take(if is_donut { 1 } else { 6 }).enumerate() {
        let paint = color(Role::Series(at as u8));
        let shape = match data.kind {
            ChartKind::Lines => format!(
                r#"<c:spPr><a:ln w="28575" cap="rnd"><a:solidFill><a:srgbClr val="{paint}"/></a:solidFill><a:round/></a:ln></c:spPr><c:marker><c:symbol val="circle"/><c:size val="6"/><c:spPr><a:solidFill><a:srgbClr val="{paint}"/></a:solidFill></c:spPr></c:marker>"#
            ),
            ChartKind::Donut => (0..data.labels.len().min(60)).fold(String::new(), |mut points, at| {
                let _ = write!(
                    points,
                    r#"<c:dPt><c:idx val="{at}"/><c:bubble3D val="0"/><c:spPr><a:solidFill><a:srgbClr val="{}"/></a:solidFill></c:spPr></c:dPt>"#,
                    color(Role::Series((at % 6) as u8))
                );
                points
            }),
            _ => format!(r#"<c:spPr><a:solidFill><a:srgbClr val="{paint}"/></a:solidFill></c:spPr><c:invertIfNegative val="0"/>"#),
        };
        let smooth = if data.kind == ChartKind::Lines { r#"<c:smooth val="0"/>"# } else { "" };
        let _ = write!(
            series,
            r#"<c:ser><c:idx val="{at}"/><c:order val="{at}"/><c:tx><c:strRef><c:f>Sheet1!${}$1</c:f><c:strCache><c:ptCount val="1"/><c:pt idx="0"><c:v>{}</c:v></c:pt></c:strCache></c:strRef></c:tx>{shape}{}{}{smooth}</c:ser>"#,
            column_name(at + 1),
            escape(&row.name),
            categories(data),
            values(data, at),
        );
    }
    let legend = if data.series.len() > 1 || is_donut {
        format!(
            r#"<c:legend><c:legendPos val="{}"/><c:overlay val="0"/>{words}</c:legend>"#,
            if is_donut { "r" } else { "t" }
        )
    } else {
        String::new()
    };
    let labels = data_labels(data, &words);
    let plot = match data.kind {
        ChartKind::Donut => format!(
            r#"<c:doughnutChart><c:varyColors val="1"/>{series}{labels}<c:firstSliceAng val="0"/><c:holeSize val="60"/></c:doughnutChart>"#
        ),
        ChartKind::Lines => format!(
            r#"<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/>{series}{labels}<c:marker val="1"/><c:axId val="111"/><c:axId val="222"/></c:lineChart>{}"#,
            axes("b", "l", &color(Role::Line), &words, false)
        ),
        ChartKind::Columns => format!(
            r#"<c:barChart><c:barDir val="col"/><c:grouping val="clustered"/><c:varyColors val="0"/>{series}{labels}<c:gapWidth val="60"/><c:axId val="111"/><c:axId val="222"/></c:barChart>{}"#,
            axes("b", "l", &color(Role::Line), &words, false)
        ),
        ChartKind::Bars => format!(
            r#"<c:barChart><c:barDir val="bar"/><c:grouping val="clustered"/><c:varyColors val="0"/>{series}{labels}<c:gapWidth val="60"/><c:axId val="111"/><c:axId val="222"/></c:barChart>{}"#,
            axes("l", "b", &color(Role::Line), &words, true)
        ),
    };
    format!(
        r#"{XML_HEAD}<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><c:roundedCorners val="0"/><c:chart><c:autoTitleDeleted val="1"/><c:plotArea><c:layout/>{plot}</c:plotArea>{legend}<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart>{words}<c:externalData r:id="rId1"><c:autoUpdate val="0"/></c:externalData></c:chartSpace>"#
    )
}

/// Numbers at the bars where one series leaves room for them.
fn data_labels(data: &ChartData, words: &str) -> String {
    let is_shown = data.kind == ChartKind::Donut || (data.series.len() == 1 && data.labels.len() <= 12);
    let shown = u8::from(is_shown && data.kind != ChartKind::Lines);
    format!(
        r#"<c:dLbls><c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>{words}<c:showLegendKey val="0"/><c:showVal val="{shown}"/><c:showCatName val="0"/><c:showSerName val="0"/><c:showPercent val="0"/><c:showBubbleSize val="0"/></c:dLbls>"#
    )
}

fn axes(category: &str, value: &str, line: &str, words: &str, reversed: bool) -> String {
    let order = if reversed { "maxMin" } else { "minMax" };
    let stroke =
        format!(r#"<c:spPr><a:ln w="9525"><a:solidFill><a:srgbClr val="{line}"/></a:solidFill></a:ln></c:spPr>"#);
    format!(
        r###"<c:catAx><c:axId val="111"/><c:scaling><c:orientation val="{order}"/></c:scaling><c:delete val="0"/><c:axPos val="{category}"/><c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="low"/>{stroke}{words}<c:crossAx val="222"/><c:crosses val="autoZero"/><c:auto val="1"/><c:lblAlgn val="ctr"/><c:lblOffset val="100"/><c:noMultiLvlLbl val="0"/></c:catAx><c:valAx><c:axId val="222"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/><c:axPos val="{value}"/><c:majorGridlines>{stroke}</c:majorGridlines><c:numFmt formatCode="#,##0.##" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:spPr><a:ln><a:noFill/></a:ln></c:spPr>{words}<c:crossAx val="111"/><c:crosses val="autoZero"/><c:crossBetween val="between"/></c:valAx>"###
    )
}

fn categories(data: &ChartData) -> String {
    let count = data.labels.len();
    let points = data.labels.iter().enumerate().fold(String::new(), |mut points, (at, label)| {
        let _ = write!(points, r#"<c:pt idx="{at}"><c:v>{}</c:v></c:pt>"#, escape(label));
        points
    });
    format!(
        r#"<c:cat><c:strRef><c:f>Sheet1!$A$2:$A${}</c:f><c:strCache><c:ptCount val="{count}"/>{points}</c:strCache></c:strRef></c:cat>"#,
        count + 1
    )
}

fn values(data: &ChartData, at: usize) -> String {
    let count = data.labels.len();
    let values = data.series.get(at).map(|series| series.values.as_slice()).unwrap_or_default();
    let points = values.iter().enumerate().fold(String::new(), |mut points, (at, value)| {
        if let Some(value) = value {
            let _ = write!(points, r#"<c:pt idx="{at}"><c:v>{value}</c:v></c:pt>"#);
        }
        points
    });
    let name = column_name(at + 1);
    format!(
        r#"<c:val><c:numRef><c:f>Sheet1!${name}$2:${name}${}</c:f><c:numCache><c:formatCode>General</c:formatCode><c:ptCount val="{count}"/>{points}</c:numCache></c:numRef></c:val>"#,
        count + 1
    )
}
